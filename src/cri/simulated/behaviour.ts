import {
  readBoolean,
  readDuration,
  readEither,
  readInteger,
  readListOf,
  readMapOf,
  readObjectOf,
  readOneOf,
  readQuantityValue,
  readText,
  type ValueReader,
} from './scenario-values.js'

const output = readObjectOf({
  /** A line end is added if it is missing. */
  text: readText,
  stream: readOneOf('stdout', 'stderr'),
  /** Delay after the start; 0 by default. */
  after: readDuration,
  /** Repeats the text at this interval. */
  every: readDuration,
})

const execution = readObjectOf({
  /** The command, its words joined by blanks; `*` matches any text. Matches every command by default. */
  command: readText,
  stdout: readText,
  stderr: readText,
  exitCode: readInteger,
  /** Duration of the command. */
  takes: readDuration,
})

/** What a simulated container does. By default it starts at once, prints nothing and runs until it is stopped. */
const container = readObjectOf({
  createError: readText,
  /** Fails the start, as if the command did not exist. */
  startError: readText,
  startDelay: readDuration,
  /** The container exits after this time. By default it runs until it is stopped. */
  runFor: readDuration,
  /** Exit code after `runFor`. */
  exitCode: readInteger,
  /** By default `Completed` or `Error`, depending on the exit code. */
  reason: readText,
  output: readListOf(output),
  /** Reaction to a stop: delay and exit code, both 0 by default; `ignore` waits for the kill. */
  stop: readEither(readOneOf('ignore'), readObjectOf({ after: readDuration, exitCode: readInteger })),
  exec: readListOf(execution),
  /** A container whose memory exceeds its limit is killed as out of memory. */
  usage: readObjectOf({ cpu: readQuantityValue, memory: readQuantityValue, disk: readQuantityValue }),
  /** The response to a port-forward connection, by port. All other ports are closed. */
  ports: readMapOf(readText),
})

const sandbox = readObjectOf({
  error: readText,
  delay: readDuration,
  /** Number of attempts that fail with the error; all by default. */
  failures: readInteger,
})

const image = readObjectOf({
  error: readText,
  /** The registry has no such image. */
  missing: readBoolean,
  delay: readDuration,
  size: readQuantityValue,
  /** Credentials that a pull needs; none by default. */
  username: readText,
  password: readText,
  /** User of its containers; a number or a name. */
  user: readText,
})

type ReadValue<R> = R extends ValueReader<infer Value> ? Value : never

export interface SimulatedOutput extends ReadValue<typeof output> {}
export interface SimulatedExec extends ReadValue<typeof execution> {}
export interface ContainerBehaviour extends ReadValue<typeof container> {}
export interface SandboxBehaviour extends ReadValue<typeof sandbox> {}
export interface ImageBehaviour extends ReadValue<typeof image> {}

export const readContainer: ValueReader<ContainerBehaviour> = container
/** One behaviour per attempt; later attempts use the last one. */
export const readContainers: ValueReader<readonly ContainerBehaviour[]> = readListOf(container)
export const readSandbox: ValueReader<SandboxBehaviour> = sandbox
export const readImage: ValueReader<ImageBehaviour> = image
