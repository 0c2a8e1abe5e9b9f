"""What a request and its answer are made of: bodies, errors, problem documents, and the services behind them."""
