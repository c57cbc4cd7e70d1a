import type { Transporter } from 'nodemailer'
import { checkedHeader, isMailAddress, type MailOutcome, outcomeOf, senderOf } from '#domain/mail.ts'

/** Content of a mail, and where it goes. */
export interface Mail {
  /** Kept for a repeated attempt, so that receivers can recognize a duplicate. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Page where mails of this kind are turned off. */
  readonly unsubscribe?: string | undefined
}

export interface MailTransport {
  send(mail: Mail): Promise<MailOutcome>
}

const CONNECT_MS = 10_000
/** Longest silence of the server. */
const SILENCE_MS = 15_000
/** Longest time of one attempt. */
export const ATTEMPT_MS = 45_000

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** Options of the connection to a server. Without TLS nothing but the words of the greeting crosses a network. */
export const connectionOf = (server: string) => {
  const { protocol, hostname, port, username, password } = new URL(server)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopback(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...{
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    },
    // A mail is made of texts alone.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }
}

/** Sends with nodemailer, which is loaded with the first mail. */
export const openMailTransport = (server: string, from: string): MailTransport => {
  const sender = senderOf(checkedHeader(from))
  const host = sender.address.split('@')[1] ?? 'parley'
  let opened: Promise<Transporter> | undefined
  const transporter = () => {
    opened ??= import('nodemailer').then(({ createTransport }) => createTransport(connectionOf(server)))
    return opened
  }
  return {
    async send({ id, to, subject, text, html, unsubscribe }) {
      if (!isMailAddress(to)) return { kind: 'bounced', code: 'address' }
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe === undefined ? {} : { 'List-Unsubscribe': `<${checkedHeader(unsubscribe)}>` }),
      }
      const sending = (await transporter()).sendMail({
        from: sender,
        to: { name: '', address: to },
        envelope: { from: sender.address, to: [to] },
        messageId: `<${id}@${host}>`,
        subject: checkedHeader(subject),
        ...{ text, html, headers },
      })
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })),
        ATTEMPT_MS,
      )
      try {
        await Promise.race([sending, late.promise])
        return { kind: 'sent' }
      } catch (error) {
        return outcomeOf(error)
      } finally {
        clearTimeout(timer)
        sending.catch(() => undefined)
      }
    },
  }
}
