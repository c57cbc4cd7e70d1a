/** Titles of providers' codes, as their documentation has them: Meta's Graph and Cloud API, and Twilio. */
const TITLES: Readonly<Record<string, string>> = {
  '0': 'AuthException',
  '3': 'API Method',
  '10': 'Permission Denied',
  '100': 'Invalid parameter',
  '102': 'Session expired',
  '190': 'Access token has expired',
  '368': 'Temporarily blocked for policies violations',
  '130429': 'Rate limit hit',
  '130472': "User's number is part of an experiment",
  '131000': 'Something went wrong',
  '131005': 'Access denied',
  '131008': 'Required parameter is missing',
  '131009': 'Parameter value is not valid',
  '131016': 'Service unavailable',
  '131021': 'Recipient cannot be sender',
  '131026': 'Message undeliverable',
  '131031': 'Account has been locked',
  '131042': 'Business eligibility payment issue',
  '131045': 'Incorrect certificate',
  '131047': 'Re-engagement message',
  '131049': 'Meta chose not to deliver',
  '131050': 'User has stopped marketing messages',
  '131051': 'Unsupported message type',
  '131052': 'Media download error',
  '131053': 'Media upload error',
  '131056': 'Pair rate limit hit',
  '131057': 'Account in maintenance mode',
  '132001': 'Template does not exist',
  '132015': 'Template is paused',
  '132016': 'Template is disabled',
  '20003': 'Authenticate',
  '20429': 'Too many requests',
  '21610': 'Attempt to send to unsubscribed recipient',
  '63003': 'Channel could not find To address',
  '63016': 'Outside of the allowed window',
  '63018': 'Rate limit exceeded for channel',
  'http.401': 'Unauthorized',
  'http.403': 'Forbidden',
  'http.404': 'Not Found',
  'http.429': 'Too Many Requests',
}

/** A code with its title, if that is known. */
export const codeWithTitle = (code: string): string => {
  const title = TITLES[code]
  return title === undefined ? code : `${code} ${title}`
}
