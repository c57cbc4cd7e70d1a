import type { Variant } from '#schemas/events/campaign.ts'

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193
const RANGE = 2 ** 32
const PERCENT = 100

/** FNV-1a with a final mix, from 0 to 1. */
const shareOf = (text: string): number => {
  let hash = OFFSET
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / RANGE
}

/**
 * Part of a comparison that a number belongs to: half of `share` percent get A, half of them B, all others the winner. It
 * follows from campaign and number (its HMAC), so that a number never changes its part.
 */
export const variantOf = (campaign: string, phone: string, share: number): Variant => {
  const place = shareOf(`${campaign} ${phone}`) * PERCENT
  return place < share / 2 ? 'a' : place < share ? 'b' : 'rest'
}

/** The template that was chosen; null before that. */
export const winnerIn = ({ winner }: { readonly winner?: unknown }): 'a' | 'b' | null =>
  winner === 'a' || winner === 'b' ? winner : null

/** The template that a part of a comparison gets. */
export const templateFor = (variant: Variant | '', winner: 'a' | 'b' | null): 'a' | 'b' =>
  variant === 'b' || (variant === 'rest' && winner === 'b') ? 'b' : 'a'
