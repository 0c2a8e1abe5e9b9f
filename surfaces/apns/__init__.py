"""ACC on the phone and Life OS on the watch: one process that carries both surfaces' deliveries over APNs."""
