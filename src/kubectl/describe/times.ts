const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const never = 'Mon, 01 Jan 0001 00:00:00 +0000'

/** `Mon, 02 Jan 2006 15:04:05 -0700`, in the local time zone. */
export function longTime(time: string | undefined | null): string {
  if (!time) return never
  const at = new Date(time)
  const day = `${days[at.getDay()]}, ${two(at.getDate())} ${months[at.getMonth()]} ${at.getFullYear()}`
  return `${day} ${clock(at)} ${zone(at)}`
}

/** `2006-01-02 15:04:05 -0700 MST` */
export function plainTime(time: string | undefined): string {
  if (!time) return '0001-01-01 00:00:00 +0000 UTC'
  const at = new Date(time)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${clock(at)} ${zone(at)} ${zoneName(at)}`
}

function clock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
}

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  const length = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(length / 60))}${two(length % 60)}`
}

function zoneName(at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
