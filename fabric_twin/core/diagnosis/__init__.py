"""The diagnosis of a pod: what the fabric shows, explained by physical causes."""
