/** A Dockerfile cannot be built. The message starts with the line and is for the user. */
export class DockerfileError extends Error {
  override readonly name = 'DockerfileError'

  constructor(line: number, problem: string) {
    super(`Dockerfile line ${line}: ${problem}`)
  }
}
