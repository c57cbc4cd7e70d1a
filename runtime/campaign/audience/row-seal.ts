import { createHmac, createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from '#commands/keys/secret.ts'
import type { OpenedContact } from './audience.ts'

/** Derived from both keys: a row is unreadable without the contact's or without the campaign's. */
export const rowKey = (contactKey: Buffer, campaignKey: Buffer): Buffer =>
  createHmac('sha256', createSecretKey(contactKey)).update(campaignKey).digest()

interface RowPlace {
  readonly campaign: string
  readonly contact: string
  readonly contactKey: Buffer
  readonly campaignKey: Buffer
}

const contextOf = ({ campaign, contact }: Pick<RowPlace, 'campaign' | 'contact'>): string =>
  `contact ${campaign} ${contact}`

export const sealRow = (place: RowPlace, opened: OpenedContact): string =>
  encrypt(rowKey(place.contactKey, place.campaignKey), Buffer.from(JSON.stringify(opened)), contextOf(place))

/**
 * Opens a row with its own key, where the keys that it is derived from are not at hand.
 * @throws SealBroken
 */
export const openRowWith = (
  key: Buffer,
  place: Pick<RowPlace, 'campaign' | 'contact'>,
  sealed: string,
): OpenedContact => JSON.parse(decrypt(key, sealed, contextOf(place)).toString())

/** @throws SealBroken */
export const openRow = (place: RowPlace, sealed: string): OpenedContact =>
  openRowWith(rowKey(place.contactKey, place.campaignKey), place, sealed)
