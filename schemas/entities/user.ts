import { defineEntity } from '../entity.ts'
import { SIGN_IN_WAYS } from '../events/session.ts'
import {
  boolean,
  email,
  enumeration,
  integer,
  json,
  password,
  reference,
  references,
  string,
  strings,
  text,
  time,
} from '../field/field.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '../language.ts'

/**
 * A person who signs in. `hierarchylevel` is the home level. The readonly fields are set by sign-in and the named
 * commands alone; without `last_password_changed_at` the password must be changed at the next sign-in.
 */
export const user = defineEntity({
  name: 'user',
  type: 'User',
  parent: 'level',
  icon: 'User',
  children: [],
  fields: {
    username: string({ required: true, personal: true, max: 100 }),
    firstname: string({ personal: true, max: 100 }),
    lastname: string({ personal: true, max: 100 }),
    email: email({ personal: true }),
    gender: string({ personal: true, max: 50 }),
    profilepic: text({ personal: true, max: 100_000 }),
    language: enumeration([...LANGUAGES], { initial: DEFAULT_LANGUAGE }),
    password: password(),
    usergroup: references('usergroup'),
    enabletwofactor: boolean(),
    twofactorenabled: boolean({ readonly: true }),
    twofactorsecret: string({ readonly: true, secret: true }),
    /** Secret of an authenticator that was given out and not confirmed by a code yet. */
    twofactorpending: string({ readonly: true, secret: true }),
    /** Time step of the newest code that was used: it and older ones are good no more. */
    twofactorstep: integer({ readonly: true, internal: true }),
    /** SHA-256 of the recovery codes that were not used. */
    recoverycodes: strings({ readonly: true, internal: true }),
    /** Signs in by password even with OIDC_ONLY. */
    breakglass: boolean(),
    /** `<HMAC of the issuer> <HMAC of issuer and sub>` of the accounts at identity providers that sign in as this user. */
    identities: strings({ readonly: true, internal: true }),
    /** Id at the identity provider that provisions this user, and the HMAC of it with the level that the provider sees. */
    externalid: string({ readonly: true, internal: true, personal: true, max: 200 }),
    externalkey: string({ readonly: true, internal: true }),
    /** WebAuthn credentials, at most ten: domain/people/passkey.ts. */
    passkeys: json({ readonly: true, internal: true }),
    /** Way of the last sign-in. */
    signin_way: enumeration([...SIGN_IN_WAYS], { readonly: true }),
    locked: boolean({ readonly: true }),
    loginattempts: integer({ readonly: true, min: 0, initial: 0 }),
    /** UTC, year-month-dayThour:minute:second. */
    last_password_changed_at: string({ readonly: true, max: 19, isUtc: true }),
    login_timestamp: time({ readonly: true }),
    logout_timestamp: time({ readonly: true }),
    action_timestamp: time({ readonly: true }),
    /** Its key is destroyed: the personal values are unreadable. */
    forgotten: boolean({ readonly: true }),
  },
  unique: [
    { field: 'username', within: 'everywhere' },
    { field: 'email', within: 'everywhere' },
    { field: 'externalkey', within: 'everywhere' },
  ],
  title: 'username',
  list: {
    columns: [
      { field: 'username', as: 'name' },
      { field: 'firstname' },
      { field: 'lastname' },
      { field: 'email' },
      { field: 'usergroup', as: 'tags' },
      { field: 'locked', as: 'boolean' },
      { field: 'login_timestamp', as: 'time' },
    ],
    level: true,
    search: ['username', 'firstname', 'lastname', 'email'],
  },
  form: [
    { id: 'person', fields: ['username', 'email', 'firstname', 'lastname', 'gender', 'profilepic', 'language'] },
    { id: 'access', fields: ['usergroup', 'password', 'last_password_changed_at', 'breakglass'] },
    { id: 'twofactor', fields: ['enabletwofactor', 'twofactorenabled'] },
    {
      id: 'signin',
      fields: ['locked', 'loginattempts', 'signin_way', 'login_timestamp', 'logout_timestamp', 'action_timestamp'],
    },
  ],
  actions: {
    /** To another level, with everything in it; offered by its page. */
    transfer: {
      icon: 'FolderInput',
      on: [],
      input: { hierarchylevel: reference('hierarchy', { required: true }) },
    },
    lock: { icon: 'Lock', on: ['page', 'row', 'bulk'], when: { locked: [false] } },
    unlock: { icon: 'LockOpen', on: ['page', 'row', 'bulk'], when: { locked: [true] } },
    resetpassword: { icon: 'KeyRound', on: ['page'] },
    reset2fa: { icon: 'ShieldOff', on: ['page', 'bulk'] },
    forget: { icon: 'UserX', on: ['page'], confirm: 'typed', danger: true, when: { forgotten: [false] } },
  },
  probes: ['endsessions'],
  confirm: true,
  place: { hub: { page: 'admin', order: 10 } },
  page: 'own',
})
