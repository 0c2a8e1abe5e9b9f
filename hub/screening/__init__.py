"""What would this text or command do, and how sure are we?"""
