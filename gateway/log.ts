import pino, { type Logger } from 'pino'
import type { Settings } from '#schemas/settings.ts'

/** Logs go to standard error, so that standard output holds what a person reads. Nothing secret gets into them. */
export const openLog = (level: Settings['LOG_LEVEL']): Logger =>
  pino(
    {
      level,
      base: null,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: true }),
  )
