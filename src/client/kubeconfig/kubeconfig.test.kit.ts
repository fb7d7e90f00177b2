import type { HostAccess } from '../host-access.js'

export interface MadeUpMachine extends HostAccess {
  /** The content of its files by path. */
  readonly content: Map<string, string>
}

/** A host with these files. Programs cannot be started. */
export function fakeHost(
  files: Readonly<Record<string, string>> = {},
  parts: Partial<Omit<HostAccess, 'files'>> = {},
): MadeUpMachine {
  const content = new Map(Object.entries(files))
  const missing = () => Object.assign(new Error('missing'), { code: 'ENOENT' })
  return {
    variables: {},
    home: '/home/jane',
    workingDirectory: '/work',
    pathDelimiter: ':',
    isTerminal: false,
    run: async () => {
      throw missing()
    },
    ...parts,
    content,
    files: {
      read: async (path) => {
        const text = content.get(path)
        if (text === undefined) throw missing()
        return text
      },
      exists: async (path) => content.has(path),
      replace: async (path, text) => {
        content.set(path, text)
      },
      claim: async (path) => {
        if (content.has(path)) throw Object.assign(new Error('taken'), { code: 'EEXIST' })
        content.set(path, '')
      },
      remove: async (path) => {
        content.delete(path)
      },
    },
  }
}

/** Returns the message of the error. */
export async function failure(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it did not fail')
}
