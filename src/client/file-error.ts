const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  EEXIST: 'file exists',
}

/** `open /some/file: no such file or directory`: how the original tells it, and people know it. */
export function fileError(action: string, path: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Error(`${action} ${path}: ${meanings[code] ?? message}`, { cause: error })
}
