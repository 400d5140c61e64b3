"""Find out by light which fibre is in which port."""
