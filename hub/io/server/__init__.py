"""The HTTP server: sockets, connections and their limits, before anybody asks what a request is about."""
