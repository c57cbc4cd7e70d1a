import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Values that differ from those of an honest browser and authenticator. */
export interface Forgery {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  /** Default: one more than at the last use. */
  readonly counter?: number
  readonly userVerified?: boolean
  readonly userPresent?: boolean
  readonly userHandle?: string
  /** Id of another credential. */
  readonly id?: string
  /** Signs with an unregistered key. */
  readonly foreignKey?: boolean
  /** Attestation statement in CBOR, with its format. */
  readonly statement?: { readonly fmt: string; readonly attStmt: Buffer }
}

interface Creation {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

interface Asked {
  readonly challenge: string
  readonly rpId: string
}

const UP = 1
const UV = 4
const BACKED_UP = 8 + 16
const AT = 64

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')
const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const cborBytes = (data: Buffer) => Buffer.concat([Buffer.from([0x59]), uint(data.length, 2), data])
const EMPTY_MAP = Buffer.from([0xa0])

/** CBOR map {x5c: [bytes]}. */
export const withCertificate = (): Buffer =>
  Buffer.concat([Buffer.from([0xa1]), cborText('x5c'), Buffer.from([0x81]), cborBytes(randomBytes(40))])

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An authenticator with one ES256 credential, and the browser before it. */
export class SoftwareAuthenticator {
  readonly id = base64url(randomBytes(32))
  readonly #origin: string
  readonly #pair = newPair()
  /** Whether it counts its uses. Keychains do not. */
  readonly #counts: boolean
  counter = 0
  #userHandle = ''

  constructor(origin: string, counts = true) {
    this.#origin = origin
    this.#counts = counts
  }

  create({ challenge, rp, user }: Creation, forged: Forgery = {}) {
    this.#userHandle = user.id
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey])
    const authData = Buffer.concat([this.#authenticatorData(forged.rpId ?? rp.id, AT, forged), credential])
    const { fmt, attStmt } = forged.statement ?? { fmt: 'none', attStmt: EMPTY_MAP }
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[cborText('fmt'), cborText(fmt), cborText('attStmt'), attStmt, cborText('authData'), cborBytes(authData)],
    ])
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: { credProps: { rk: true } } },
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, forged),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
    }
  }

  get({ challenge, rpId }: Asked, forged: Forgery = {}) {
    const data = this.#authenticatorData(forged.rpId ?? rpId, 0, forged)
    const clientDataJSON = this.#clientData('webauthn.get', challenge, forged)
    const key: KeyObject = forged.foreignKey === true ? newPair().privateKey : this.#pair.privateKey
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const id = forged.id ?? this.id
    return {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' },
      response: {
        clientDataJSON,
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', signed, key)),
        userHandle: forged.userHandle ?? (this.#userHandle === '' ? null : this.#userHandle),
      },
    }
  }

  #authenticatorData(rpId: string, more: number, forged: Forgery): Buffer {
    const { userVerified = true, userPresent = true } = forged
    const flags = (userPresent ? UP : 0) + (userVerified ? UV : 0) + BACKED_UP + more
    if (this.#counts) this.counter += 1
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(forged.counter ?? this.counter, 4)])
  }

  #clientData(type: string, challenge: string, forged: Forgery): string {
    const { origin = this.#origin, crossOrigin = false } = forged
    return base64url(
      JSON.stringify({ type: forged.type ?? type, challenge: forged.challenge ?? challenge, origin, crossOrigin }),
    )
  }
}
