/** Loaded into a server under trial before the program itself: tells what cannot be seen from outside. */
process.on('message', (asked) => {
  if (asked === 'memory') {
    globalThis.gc?.()
    globalThis.gc?.()
    process.send!(process.memoryUsage().heapUsed)
  }
  // What every object has inherited since the start: nothing, unless someone's input was taken for more than data.
  if (asked === 'pollution') process.send!(Object.keys(Object.prototype).concat(inheritedBy({})))
})
// Nobody is left to end it.
process.on('disconnect', () => process.exit(1))
process.channel?.unref()

function inheritedBy(object: object): string[] {
  const found: string[] = []
  for (const key in object) found.push(key)
  return found
}
