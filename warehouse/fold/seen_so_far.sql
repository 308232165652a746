-- The folded observations of the scopes in the order of history, failed ones left out.
select scope_id, as_of, observed_at, effective_status, keys_hash
from observations join scope_now using (source, scope)
where effective_status <> 'failed' and not anew
order by scope_id, as_of, observed_at, sha256;
