"""A sandbox that is asked as EC2 is, and an account that asks it."""

from collections.abc import Iterator

import pytest

from connectors.sandbox import DATES, Sandbox
from connectors.sandbox.aws_unverified import AwsUnverified
from tests.connectors.sandbox.ec2_asking import Account


@pytest.fixture(scope="package")
def ec2_running() -> Iterator[tuple[Sandbox, Account]]:
    """One server and one account for all tests of EC2, since boto3 takes its time to make a client."""
    with pytest.MonkeyPatch.context() as patch, Sandbox() as sandbox:
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patch.setenv("AWS_CONFIG_FILE", "/nowhere")
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
        yield sandbox, Account(sandbox)


@pytest.fixture
def ec2_sandbox(ec2_running: tuple[Sandbox, Account]) -> Iterator[Sandbox]:
    """The server as it is after its start, and again after the test."""
    sandbox = ec2_running[0]
    sandbox.requests.clear()
    yield sandbox
    sandbox.faults.clear()
    sandbox.ec2_opted_in.clear()
    sandbox.set_date("aws", DATES["aws"][-1])
    for name, value in vars(AwsUnverified()).items():
        setattr(sandbox.aws_unverified, name, value)


@pytest.fixture
def account(ec2_running: tuple[Sandbox, Account], ec2_sandbox: Sandbox) -> Account:
    """An account of that server that has turned on no region."""
    return ec2_running[1]


@pytest.fixture(scope="package")
def arm_running() -> Iterator[Sandbox]:
    """One server for all tests of Azure Resource Manager."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def arm(arm_running: Sandbox) -> Iterator[Sandbox]:
    """The server as it is after its start, and again after the test."""
    arm_running.requests.clear()
    yield arm_running
    arm_running.faults.clear()
    arm_running.arm_unverified.clear()
    arm_running.set_date("azure", DATES["azure"][-1])
