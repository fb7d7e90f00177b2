/** Describes an error in one sentence, with a remedy if there is one. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const system: SystemError = error
  const remedy = remedies[system.code ?? '']
  return remedy ? remedy(system) : error.message
}

type SystemError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }

const remedies: Readonly<Record<string, (error: SystemError) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is in use by another program; stop that program, or choose another port`,
  EADDRNOTAVAIL: ({ address }) => `this machine does not have the address ${address}; use one that it has, or 0.0.0.0`,
  EACCES: ({ path, port }) =>
    path === undefined
      ? `you have no permission to use port ${port}; choose one above 1023, or run as root`
      : `you have no permission to open ${path}; change its owner, or run as the user that owns it`,
  EPERM: ({ path, message }) =>
    path === undefined ? message : `you have no permission to change ${path}; run as the user that owns it`,
  ENOENT: ({ path, message }) => (path === undefined ? message : `there is no file ${path}; check the name`),
  EISDIR: ({ path }) => `${path ?? 'that'} is a directory; name a file in it`,
  ENOTDIR: ({ path }) => `a part of the path ${path} is a file and not a directory; use another path`,
  ENOSPC: ({ path }) => `there is no space left on the disk for ${path ?? 'more data'}; free some`,
  EROFS: ({ path }) => `${path} is on a read-only file system; use another path, or make it writable`,
}
