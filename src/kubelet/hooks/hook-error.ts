/** A hook failed. The message is what the kubelet's log says; people see the event, which tells less. */
export class HookError extends Error {
  override readonly name = 'HookError'
}
