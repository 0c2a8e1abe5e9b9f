"""Speaker verification: whether it is the wearer who approves. Pure: sound and a template in, a verdict out."""
