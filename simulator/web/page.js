// The page's first module.
