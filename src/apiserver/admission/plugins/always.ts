import type { AdmissionPlugin } from '../admission.js'
import { rejection } from '../rejection.js'

/** For who wants a plugin that does nothing. */
export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit', handles: () => false }

/** For who wants to see what happens when everything is refused. */
export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  mutate(request) {
    throw rejection(request, 'admission control is denying all modifications')
  },
}
