"""Compass, the browser surface: the hub serves its page; this process carries cards to closed tabs by Web Push."""
