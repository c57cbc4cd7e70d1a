/** The key is missing, malformed or another one than the stored keys were made with. The message is the one line to print. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused'
}

/** Nothing can be written about a user whose key was destroyed. */
export class UserForgotten extends Error {
  override readonly name = 'UserForgotten'
}

/** A sealed value was changed, or moved from its original place. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}
