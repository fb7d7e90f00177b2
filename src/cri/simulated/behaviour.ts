import {
  readBoolean,
  readDuration,
  readEither,
  readInteger,
  readListOf,
  readMapOf,
  readObjectOf,
  readOneOf,
  readQuantity,
  readText,
  type ValueReader,
} from './scenario-values.js'

const output = readObjectOf({
  /** What is said; a line end is added if there is none. */
  text: readText,
  stream: readOneOf('stdout', 'stderr'),
  /** How long after the start. At once, unless told. */
  after: readDuration,
  /** Said again and again. */
  every: readDuration,
})

const execution = readObjectOf({
  /** The words of the command with blanks between them; `*` stands for anything. Any command, unless told. */
  command: readText,
  stdout: readText,
  stderr: readText,
  exitCode: readInteger,
  /** How long it takes. */
  takes: readDuration,
})

/** What a simulated container does. Without any of this it starts at once, says nothing, and runs until it is stopped. */
const container = readObjectOf({
  createError: readText,
  /** Refused when it is to be started: as if its command were not there. */
  startError: readText,
  startDelay: readDuration,
  /** How long it runs by itself. Until it is stopped, unless told. */
  runFor: readDuration,
  /** With which it ends by itself. */
  exitCode: readInteger,
  /** `Completed` or `Error`, by the exit code, unless told. */
  reason: readText,
  output: readListOf(output),
  /** What it does when it is asked to end: after how long it does, and with which exit code. At once and with 0, unless told. */
  stop: readEither(readOneOf('ignore'), readObjectOf({ after: readDuration, exitCode: readInteger })),
  exec: readListOf(execution),
  /** More memory than its limit, and it is killed for it. */
  usage: readObjectOf({ cpu: readQuantity, memory: readQuantity, disk: readQuantity }),
  /** By port: what it answers to whoever connects through a port-forward. Other ports are closed. */
  ports: readMapOf(readText),
})

const sandbox = readObjectOf({
  error: readText,
  delay: readDuration,
  /** So many first attempts fail with the error; all of them, unless told. */
  failures: readInteger,
})

const image = readObjectOf({
  error: readText,
  /** The registry has no such image. */
  missing: readBoolean,
  delay: readDuration,
  size: readQuantity,
  /** Who may pull it; anybody, unless told. */
  username: readText,
  password: readText,
  /** As whom its containers run; a number or a name. */
  user: readText,
})

type ReadValue<R> = R extends ValueReader<infer Value> ? Value : never

export interface SimulatedOutput extends ReadValue<typeof output> {}
export interface SimulatedExec extends ReadValue<typeof execution> {}
export interface ContainerBehaviour extends ReadValue<typeof container> {}
export interface SandboxBehaviour extends ReadValue<typeof sandbox> {}
export interface ImageBehaviour extends ReadValue<typeof image> {}

export const readContainer: ValueReader<ContainerBehaviour> = container
/** One for each attempt; the last of them for all that follow. */
export const readContainers: ValueReader<readonly ContainerBehaviour[]> = readListOf(container)
export const readSandbox: ValueReader<SandboxBehaviour> = sandbox
export const readImage: ValueReader<ImageBehaviour> = image
