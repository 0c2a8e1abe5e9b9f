-- Searching looks at texts as they are shown: what is masked there cannot be asked for letter by letter.

UPDATE predictions SET prompt = shown(prompt);
