/** Days after which addresses, browsers and names that were tried are removed. */
export const ORIGIN_DAYS = 90

export const ORIGIN_PREFIX = 'origin-'
/** One stream a day, so that retention removes whole streams. */
export const originStream = (time: string): string => ORIGIN_PREFIX + time.slice(0, 10)

/** Whether a causation is the id of a session, an attempt or an API token: ids of events are UUIDs. */
export const isOriginId = (causation: string | null): causation is string =>
  causation !== null && /^(token:)?[0-9a-f]{64}$/.test(causation)
