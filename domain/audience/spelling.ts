/** Area code, and eight digits that begin with 6 to 9: mobile numbers have a 9 between them since 2016. */
const BRAZIL = /^55([1-9]\d)9?([6-9]\d{7})$/
/** A 1 was part of mobile numbers until 2019. */
const MEXICO = /^521?([2-9]\d{9})$/
/** The 9 marks a mobile number in calls from abroad; ids of WhatsApp may lack it. */
const ARGENTINA = /^549?([1-8]\d{9})$/

/** Digits of all forms under which one number is written, the present form first. `number` has its country code. */
export const spellingsOf = (number: string): readonly [string, ...string[]] => {
  const digits = number.replace(/\D/gu, '')
  const [, area, rest] = BRAZIL.exec(digits) ?? []
  if (area !== undefined) return [`55${area}9${rest}`, `55${area}${rest}`]
  const [, mexican] = MEXICO.exec(digits) ?? []
  if (mexican !== undefined) return [`52${mexican}`, `521${mexican}`]
  const [, argentine] = ARGENTINA.exec(digits) ?? []
  if (argentine !== undefined) return [`549${argentine}`, `54${argentine}`]
  return [digits]
}
