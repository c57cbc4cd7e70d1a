import type { FastifyReply } from 'fastify'
import { type Parts, SESSION_COOKIE } from '../port.ts'
import { DEVICE_COOKIE, DEVICE_SECONDS } from './device.ts'

const PATH = '/botadmin'

const optionsOf = (parts: Parts, reply: FastifyReply) => ({
  path: PATH,
  httpOnly: true,
  sameSite: 'strict' as const,
  secure: parts.publicUrl().startsWith('https:') || reply.request.protocol === 'https',
})

export const setSessionCookie = (parts: Parts, reply: FastifyReply, token: string): void => {
  reply.setCookie(SESSION_COOKIE, token, { ...optionsOf(parts, reply), maxAge: parts.settings.SESSION_HOURS * 3600 })
}

export const clearSessionCookie = (parts: Parts, reply: FastifyReply): void => {
  reply.clearCookie(SESSION_COOKIE, optionsOf(parts, reply))
}

export const setDeviceCookie = (parts: Parts, reply: FastifyReply, device: string): void => {
  reply.setCookie(DEVICE_COOKIE, device, { ...optionsOf(parts, reply), maxAge: DEVICE_SECONDS })
}
