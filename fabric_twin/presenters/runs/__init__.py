"""What runs tell people: findings as a report, and cables as light shows them."""
