"""Everything that touches the world: store, broker, HTTP, clocks, sensors, agents."""
