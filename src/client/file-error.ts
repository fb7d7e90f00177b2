const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  EEXIST: 'file exists',
}

/** Formats an error like Go: `open /some/file: no such file or directory`. */
export function fileError(action: string, path: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Error(`${action} ${path}: ${meanings[code] ?? message}`, { cause: error })
}
