-- The words by which a GPU can be asked for: our name, and people's words for it.
-- grain: word, gpu_model
-- word: in lower case
-- gpu_model: our name
select lower(gpu_model) as word, gpu_model from gpu_models
union
select unnest(aliases) as word, gpu_model from gpu_models
order by word, gpu_model
