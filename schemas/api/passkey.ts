import { z } from 'zod'
import { named } from './common.ts'

/** Bytes as base64url without padding. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/)

/** 1,023 bytes are the most that WebAuthn allows. */
const credential = { id: bytes(1_364), rawId: bytes(1_364), type: z.literal('public-key') }

/** Answer of `navigator.credentials.get()`, as JSON. Other members are accepted and not read. */
export const passkeyAssertion = named(
  'PasskeyAssertion',
  z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(2_000),
      authenticatorData: bytes(2_000),
      signature: bytes(2_000),
      /** Id of the user. */
      userHandle: bytes(88).nullish(),
    }),
  }),
)
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

/** Answer of `navigator.credentials.create()`, as JSON. */
const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(2_000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})
export type PasskeyAttestation = z.output<typeof passkeyAttestation>

const name = z.string().trim().min(1).max(60)
export const passkeyNameBody = named('PasskeyName', z.strictObject({ name }))
export const passkeyBody = named('Passkey', z.strictObject({ name, passkey: passkeyAttestation }))

/** Options of WebAuthn as a browser takes them. */
const descriptors = z.array(
  z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
)
const options = {
  /** 32 bytes. Good once, for 5 minutes. */
  challenge: z.string(),
  timeout: z.int(),
}

export const passkeyRequestSchema = named(
  'PasskeyRequest',
  z.object({
    ...options,
    rpId: z.string(),
    userVerification: z.literal('required'),
    /** Those of the caller; without a session the browser offers all that it has. */
    allowCredentials: descriptors,
  }),
)

export const passkeyCreationSchema = named(
  'PasskeyCreation',
  z.object({
    ...options,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: descriptors,
    authenticatorSelection: z.object({
      residentKey: z.literal('preferred'),
      requireResidentKey: z.literal(false),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
    extensions: z.object({ credProps: z.literal(true) }),
  }),
)

/** Passkeys of the caller, oldest first. */
export const passkeysSchema = named(
  'Passkeys',
  z.object({
    items: z.array(
      z.object({
        /** Of the entry here, not of the credential. */
        id: z.string(),
        name: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
        /** Kept by its maker outside of the device. */
        backedup: z.boolean(),
      }),
    ),
    /** Proofs that the caller can give. Empty: only a new sign-in proves their identity. */
    proofs: z.array(z.enum(['password', 'code', 'passkey'])),
    /** Origin of the console at which passkeys work; null: PUBLIC_URL has no https. */
    origin: z.string().nullable(),
  }),
)

/** Proves again who the caller is, for 5 minutes. */
export const confirmationBody = named(
  'Confirmation',
  z.union([
    z.strictObject({ password: z.string().max(1024) }),
    /** Code of the authenticator. */
    z.strictObject({ token: z.string().max(40) }),
    z.strictObject({ passkey: passkeyAssertion }),
  ]),
)
