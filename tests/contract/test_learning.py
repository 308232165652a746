"""What is learned of a document, from documents of a line or two."""

from tests.contract.learning import learn_csv, learn_json, learn_xml


def test_a_cell_is_read_with_its_quotes() -> None:
    """An empty cell is bare, a doubled quote is one, a comma may stand in quotes."""
    text = '"FormatVersion","v1.0"\n"A","B","C"\n"1,5 ""x""",,"NA"\n'

    assert [(row.field, row.quoting, row.forms) for row in learn_csv("it", "recorded", [text])] == [
        ("line end", "", "LF"),
        ("last line", "", "ended"),
        ("line 1: FormatVersion", "quoted", "text"),
        ("header", "quoted", "columns"),
        ("A", "quoted", "text"),
        ("B", "", "empty"),
        ("C", "quoted", "NA"),
    ]


def test_nothing_in_quotes_is_another_nothing() -> None:
    """B is empty and bare, C is empty in quotes: neither counts as there."""
    rows = {row.field: row for row in learn_csv("it", "recorded", ['"A","B","C"\n"1",,""\n'])}

    assert (rows["B"].forms, rows["C"].forms) == ("empty", "empty in quotes")
    assert (rows["B"].presence, rows["C"].presence) == ("not met", "not met")


def test_presence_is_counted_over_the_lines_that_are_taken() -> None:
    """Of two lines A is filled in both, B in one, C in none; the third line is of another kind."""
    text = "K,A,B,C\nx,1,2,\nx,1,,\ny,,,3\n"
    rows = learn_csv("it", "recorded", [text], lambda line: line["K"][0] == "x")

    assert [(row.field, row.position, row.presence) for row in rows if row.position] == [
        ("K", "1", "always"),
        ("A", "2", "always"),
        ("B", "3", "sometimes"),
        ("C", "4", "not met"),
    ]


def test_the_form_of_a_price_depends_on_its_unit() -> None:
    """Ten decimals an hour, and an upfront fee as it is; the range of the fee is empty."""
    text = 'Unit,PricePerUnit,EndingRange\r\n"Hrs","0.1046300000","Inf"\r\n"Quantity","2750",'
    rows = {row.field: row for row in learn_csv("it", "recorded", [text])}

    assert rows["PricePerUnit where Unit is Hrs"].forms == "ten decimals"
    assert rows["PricePerUnit where Unit is Quantity"].forms == "integer"
    assert rows["EndingRange where Unit is Quantity"].presence == "not met"
    assert (rows["Unit"].words, rows["EndingRange"].words) == ("Hrs | Quantity", "Inf")
    assert (rows["line end"].forms, rows["last line"].forms) == ("CR LF", "open")


def test_types_and_absence_are_told_apart() -> None:
    """A key that only some have, a null, a number with a point, one without, and one that is written as text."""
    text = '{"Items": [{"a": 1, "b": null}, {"a": "1"}, {"a": 1.0}], "versions": {"x": {"c": true}, "y": {}}}'

    assert {row.field: (row.presence, row.forms) for row in learn_json("it", "recorded", [text])} == {
        "$": ("always", "object"),
        "$.Items": ("always", "list"),
        "$.Items[*]": ("always", "object"),
        "$.Items[*].a": ("always", "number decimal | number integer | string integer"),
        "$.Items[*].b": ("sometimes", "null"),
        "$.versions": ("always", "object"),
        "$.versions.*": ("always", "object"),
        "$.versions.*.c": ("sometimes", "boolean"),
    }


def test_elements_have_an_order() -> None:
    """Code before Message."""
    rows = learn_xml("it", "recorded", "<Error><Code>NoSuchKey</Code><Message>no</Message></Error>")

    assert [(row.field, row.position, row.words) for row in rows] == [
        ("Error", "", ""),
        ("Error.Code", "1", "NoSuchKey"),
        ("Error.Message", "2", ""),
    ]
