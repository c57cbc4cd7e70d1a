import { createHmac, createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from '#commands/keys/cipher.ts'
import type { OpenedContact } from './audience.ts'

/** Derived from both keys: a row is unreadable without the contact's or without the campaign's. */
const rowKey = (contactKey: Buffer, campaignKey: Buffer): Buffer =>
  createHmac('sha256', createSecretKey(contactKey)).update(campaignKey).digest()

interface RowPlace {
  readonly campaign: string
  readonly contact: string
  readonly contactKey: Buffer
  readonly campaignKey: Buffer
}

const contextOf = ({ campaign, contact }: RowPlace): string => `contact ${campaign} ${contact}`

export const sealRow = (place: RowPlace, opened: OpenedContact): string =>
  encrypt(rowKey(place.contactKey, place.campaignKey), Buffer.from(JSON.stringify(opened)), contextOf(place))

/** @throws SealBroken */
export const openRow = (place: RowPlace, sealed: string): OpenedContact =>
  JSON.parse(decrypt(rowKey(place.contactKey, place.campaignKey), sealed, contextOf(place)).toString())
