/** Loaded into a server before the program: reports memory and prototype pollution, which are invisible from outside. */
process.on('message', (request) => {
  if (request === 'memory') {
    globalThis.gc?.()
    globalThis.gc?.()
    process.send!(process.memoryUsage().heapUsed)
  }
  // Names on `Object.prototype`: none, unless input was used as more than data.
  if (request === 'pollution') process.send!(Object.keys(Object.prototype).concat(inheritedBy({})))
})
// The test has ended, so nothing else would end this process.
process.on('disconnect', () => process.exit(1))
process.channel?.unref()

function inheritedBy(object: object): string[] {
  const found: string[] = []
  for (const key in object) found.push(key)
  return found
}
