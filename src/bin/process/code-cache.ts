import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** The parameters of a CommonJS module. */
export const moduleParameters = 'exports, require, module, __filename, __dirname'

/** The function around the text of a CommonJS module. */
export type ModuleFunction = (
  ...values: readonly [
    exports: object,
    require: (id: string) => unknown,
    module: object,
    filename: string,
    folder: string,
  ]
) => void

/** Every file that is loaded through a code cache starts with `//`, this many hexadecimal digits of its own hash, and a line end. */
export const hashLength = 16

export interface CodeCacheOptions {
  /** Holds the code of earlier processes. */
  readonly folder: string
  /** What this process does, such as the command that it runs. Processes with the same purpose call the same functions. */
  readonly purpose: string
}

/**
 * Saves the code that V8 compiles from our scripts for the next process, because compiling takes longer than running. V8 compiles a function
 * when it is first called, so a process saves the code after it has done its work (`save`).
 *
 * V8 checks cached code only against the length of the script. So the name of a cache file includes the hash of the script. V8 rejects the
 * code of another version or of other flags, and then compiles again.
 */
export class CodeCache {
  readonly #folder: string
  readonly #purpose: string
  readonly #scripts: { readonly name: string; readonly script: Script }[] = []
  #isComplete = true

  constructor({ folder, purpose }: CodeCacheOptions) {
    this.#folder = folder
    this.#purpose = purpose
  }

  /** Compiles the text of a file, with the code cached for it if there is any. `before` and `after` are put around the text. */
  compile(filename: string, text: string, { before = '', after = '' } = {}): Script {
    const name = [basename(filename), text.slice(2, 2 + hashLength), runtimeKey(), this.#purpose].join('.')
    const cachedData = this.#read(name)
    const source = before === '' && after === '' ? text : before + text + after
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected) this.#isComplete = false
    this.#scripts.push({ name, script })
    return script
  }

  /** Whether the cache had code for all scripts that were compiled since the last `save`. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /**
   * Writes the code of all scripts if the cache had none for one of them: a process that used only some of the scripts may have called fewer
   * of their functions.
   */
  save(): void {
    if (this.#isComplete || mayCountCalls()) return
    this.#isComplete = true
    for (const { name, script } of this.#scripts) this.#write(name, script.createCachedData())
  }

  #read(name: string): Buffer | undefined {
    return readIfThere(join(this.#folder, name)) ?? readIfOwn(join(userFolder(), name))
  }

  #write(name: string, data: Buffer): void {
    if (!writeIfPossible(this.#folder, name, data)) writeIfPossible(userFolder(), name, data)
  }
}

/**
 * Loads a script that consists of one function with the parameters of a CommonJS module. The function is part of the file, so that no start
 * copies 4 MB to put a function around them. The script is ASCII.
 */
export function loadScript<Exports>(filename: string, require: NodeJS.Require, cache: CodeCache): Exports {
  const load = cache.compile(filename, readFileSync(filename, 'latin1')).runInThisContext() as ModuleFunction
  const module = { exports: {} as Exports & object }
  load.call(module.exports, module.exports, require, module, filename, dirname(filename))
  return module.exports
}

/** Identifies a version of Node and its flags. `cachedDataVersionTag` of `node:v8` does the same, but takes 2 ms to load. */
function runtimeKey(): string {
  const flags = process.execArgv.filter((argument) => argument.startsWith('-'))
  let sum = 0
  for (const letter of [process.arch, process.env.NODE_OPTIONS ?? '', ...flags].join(' '))
    sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0
  return `${process.version}-${(sum >>> 0).toString(36)}`
}

/** Whether V8 compiles counters into functions, as for code coverage. Such code would slow down every later process. */
function mayCountCalls(): boolean {
  const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] }
  return process.env.NODE_V8_COVERAGE !== undefined || moduleLoadList.includes('NativeModule inspector')
}

/** The cache of a user who may not write to the folder of the package. */
function userFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'proa', 'compiled')
}

function readIfThere(path: string): Buffer | undefined {
  return unlessSystemFails(() => readFileSync(path))
}

/** The code is executed, so only a file of this user counts: `sudo` may keep the home directory of its caller. */
function readIfOwn(path: string): Buffer | undefined {
  return unlessSystemFails(() => {
    const file = openSync(path, 'r')
    try {
      return fstatSync(file).uid === process.geteuid?.() ? readFileSync(file) : undefined
    } finally {
      closeSync(file)
    }
  })
}

/** Writes to a temporary name first, because other processes may be starting. */
function writeIfPossible(folder: string, name: string, data: Buffer): boolean {
  const isWritten = unlessSystemFails(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.${process.pid}`), data)
    renameSync(join(folder, `${name}.${process.pid}`), join(folder, name))
    return true
  })
  return isWritten ?? false
}

/** A cache that cannot be read or written (missing, not permitted, disk full) costs time, but must not fail the command. */
function unlessSystemFails<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return undefined
  }
}
