import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'

/** Does nothing. */
export const alwaysAdmit = defineAdmissionPlugin({
  name: 'AlwaysAdmit',
  position: 10,
  create: () => ({ handles: () => false }),
})

/** Rejects every request, for tests. */
export const alwaysDeny = defineAdmissionPlugin({
  name: 'AlwaysDeny',
  position: 430,
  create: () => ({
    handles: () => true,
    mutate(request) {
      throw rejection(request, 'admission control is denying all modifications')
    },
  }),
})
