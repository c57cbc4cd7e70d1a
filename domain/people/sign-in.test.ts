import { describe, expect, it } from 'vitest'
import { signInStep } from './sign-in.ts'

type SignInSubject = Parameters<typeof signInStep>[0]

const subject = (more: Partial<SignInSubject> = {}): SignInSubject => ({
  locked: false,
  expired: false,
  registered: false,
  demanded: false,
  passkey: false,
  ...more,
})
const right = { type: 'password', right: true } as const
const wrong = { type: 'password', right: false } as const
const code = { type: 'code', right: true } as const
const wrongCode = { type: 'code', right: false } as const

describe('the steps of a sign-in', () => {
  it('opens with the right password alone when there is no second factor [C-4.17]', () => {
    expect(signInStep(subject(), [right])).toBe('signedIn')
    expect(signInStep(subject(), [wrong])).toBe('invalid')
  })

  it('asks for a code when an authenticator is registered, and opens with a right one [C-4.16]', () => {
    const registered = subject({ registered: true })
    expect(signInStep(registered, [right])).toBe('code')
    expect(signInStep(registered, [right, wrongCode])).toBe('codeInvalid')
    expect(signInStep(registered, [right, code])).toBe('signedIn')
  })

  it('asks for a registration when two-factor is demanded and none is registered', () => {
    expect(signInStep(subject({ demanded: true }), [right])).toBe('registration')
    expect(signInStep(subject({ demanded: true }), [right, code])).toBe('signedIn')
    expect(signInStep(subject({ demanded: true, registered: true }), [right, code])).toBe('signedIn')
  })

  it('requires the passkey that is the second factor, with an expired password too [P-2687]', () => {
    const owner = subject({ demanded: true, passkey: true })
    expect(signInStep(owner, [wrong])).toBe('invalid')
    expect(signInStep(owner, [right])).toBe('passkey')
    expect(signInStep({ ...owner, expired: true }, [right])).toBe('passkey')
    expect(signInStep({ ...owner, locked: true }, [right])).toBe('locked')
    expect(signInStep({ ...owner, registered: true }, [right, code])).toBe('signedIn')
  })

  it('reports a lock or an expired password only after the required proofs', () => {
    expect(signInStep(subject({ locked: true }), [wrong])).toBe('invalid')
    expect(signInStep(subject({ locked: true, registered: true, expired: true }), [right])).toBe('locked')
    expect(signInStep(subject({ expired: true, registered: true }), [right])).toBe('code')
    expect(signInStep(subject({ expired: true, registered: true }), [right, code])).toBe('expired')
    expect(signInStep(subject({ expired: true, demanded: true }), [right])).toBe('expired')
  })
})
