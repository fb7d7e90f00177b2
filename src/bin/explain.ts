/** What went wrong, in one sentence that says what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const system: SystemError = error
  const remedy = remedies[system.code ?? '']
  return remedy ? remedy(system) : error.message
}

type SystemError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }

const remedies: Readonly<Record<string, (error: SystemError) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use by another program; stop that one, or choose another port`,
  EADDRNOTAVAIL: ({ address }) =>
    `this machine does not have the address ${address}; choose one that it has, or 0.0.0.0`,
  EACCES: ({ path, port }) =>
    path === undefined
      ? `port ${port} may not be used without more rights; choose one above 1023, or run as root`
      : `${path} may not be opened with the present rights; change its owner, or run as the user to whom it belongs`,
  EPERM: ({ path }) => `${path} may not be changed with the present rights; run as the user to whom it belongs`,
  ENOENT: ({ path }) => `there is no file ${path}; check the name`,
  EISDIR: ({ path }) => `${path ?? 'that'} is a directory; name a file inside of it`,
  ENOTDIR: ({ path }) => `a part of ${path} is a file and not a directory; choose another place`,
  ENOSPC: ({ path }) => `there is no room left on the disk${path === undefined ? '' : ` for ${path}`}; free some`,
  EROFS: ({ path }) => `${path} is on a disk that cannot be written to; choose another place`,
}
