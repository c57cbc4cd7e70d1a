/** Causes of failed deliveries that concern the whole channel; each has one text and one act. */
export type FailureCause =
  | 'credentials'
  | 'limit'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'provider'
  | 'account'
  | 'settings'
  | 'refused'

/** Codes by cause: Meta's (Cloud API, Messenger), Twilio's, and the gateway's own refusals. */
const CODES: Readonly<Record<Exclude<FailureCause, 'refused'>, readonly string[]>> = {
  credentials: ['0', '102', '190', '20003', 'channel.token', 'http.401', 'http.403'],
  limit: [...['4', '32', '613', '80007', '130429', '131056', '20429', '63018'], ...['http.425', 'http.429']],
  unreachable: [
    'outbound.unknown',
    'outbound.unreachable',
    'outbound.redirects',
    'outbound.answer',
    'outbound.headers',
  ],
  certificate: ['outbound.certificate'],
  timeout: ['outbound.timeout', 'http.408', 'ETIMEDOUT'],
  provider: ['1', '2', '131000', '131016', '131057', '133004'],
  account: ['10', '200', '368', '131005', '131031', '131042', '131045', '30002', '63007', 'http.402'],
  settings: [
    ...['outbound.address', 'outbound.credentials', 'outbound.private', 'outbound.header', 'channel.profile'],
    ...['21606', '21212', 'http.404', 'http.405', 'http.410'],
  ],
}

const CAUSES: ReadonlyMap<string, FailureCause> = new Map(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap(cause => CODES[cause].map(code => [code, cause] as const)),
)

/** Errors of the connection or of the name service, as Node names them. */
const CONNECTION = /^(E[A-Z]{3,}|UND_ERR_\w+)$/u
const CERTIFICATE = /CERT|TLS|SSL|SIGNED|ISSUER/u
const SERVER_ERROR = /^http\.5\d\d$/u

/** The cause of a failure by its code; undefined for codes about one message or one person. */
export const failureCause = (code: string): FailureCause | undefined => {
  const known = CAUSES.get(code)
  if (known !== undefined) return known
  if (SERVER_ERROR.test(code)) return 'provider'
  if (CERTIFICATE.test(code)) return 'certificate'
  return CONNECTION.test(code) ? 'unreachable' : undefined
}
