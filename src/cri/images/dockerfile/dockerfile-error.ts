/** A Dockerfile that cannot be built. The message begins with the line and is for a person. */
export class DockerfileError extends Error {
  override readonly name = 'DockerfileError'

  constructor(line: number, problem: string) {
    super(`Dockerfile line ${line}: ${problem}`)
  }
}
