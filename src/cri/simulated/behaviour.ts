import { either, integer, listOf, mapOf, oneOf, quantity, type Reader, shape, span, text, truth } from './shape.js'

const output = shape({
  /** What is said; a line end is added if there is none. */
  text,
  stream: oneOf('stdout', 'stderr'),
  /** How long after the start. At once, unless told. */
  after: span,
  /** Said again and again. */
  every: span,
})

const execution = shape({
  /** The words of the command with blanks between them; `*` stands for anything. Any command, unless told. */
  command: text,
  stdout: text,
  stderr: text,
  exitCode: integer,
  /** How long it takes. */
  takes: span,
})

/** What a simulated container does. Without any of this it starts at once, says nothing, and runs until it is stopped. */
const container = shape({
  createError: text,
  /** Refused when it is to be started: as if its command were not there. */
  startError: text,
  startDelay: span,
  /** How long it runs by itself. Until it is stopped, unless told. */
  runFor: span,
  /** With which it ends by itself. */
  exitCode: integer,
  /** `Completed` or `Error`, by the exit code, unless told. */
  reason: text,
  output: listOf(output),
  /** What it does when it is asked to end: after how long it does, and with which exit code. At once and with 0, unless told. */
  stop: either(oneOf('ignore'), shape({ after: span, exitCode: integer })),
  exec: listOf(execution),
  /** More memory than its limit, and it is killed for it. */
  usage: shape({ cpu: quantity, memory: quantity, disk: quantity }),
  /** By port: what it answers to whoever connects through a port-forward. Other ports are closed. */
  ports: mapOf(text),
})

const sandbox = shape({
  error: text,
  delay: span,
  /** So many first attempts fail with the error; all of them, unless told. */
  failures: integer,
})

const image = shape({
  error: text,
  /** The registry has no such image. */
  missing: truth,
  delay: span,
  size: quantity,
  /** Who may pull it; anybody, unless told. */
  username: text,
  password: text,
  /** As whom its containers run; a number or a name. */
  user: text,
})

type Read<R> = R extends Reader<infer Value> ? Value : never

export interface Output extends Read<typeof output> {}
export interface Execution extends Read<typeof execution> {}
export interface ContainerBehaviour extends Read<typeof container> {}
export interface SandboxBehaviour extends Read<typeof sandbox> {}
export interface ImageBehaviour extends Read<typeof image> {}

export const readContainer: Reader<ContainerBehaviour> = container
/** One for each attempt; the last of them for all that follow. */
export const readContainers: Reader<readonly ContainerBehaviour[]> = listOf(container)
export const readSandbox: Reader<SandboxBehaviour> = sandbox
export const readImage: Reader<ImageBehaviour> = image
