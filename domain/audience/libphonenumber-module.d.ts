/** Used parts of the library, with the metadata of number kinds. */
declare module 'libphonenumber-js/max' {
  interface ParsedNumber {
    /** E.164. */
    readonly number: string
    /** ISO 3166. */
    readonly country?: string
    readonly nationalNumber: string
    readonly countryCallingCode: string
    readonly ext?: string
    isValid(): boolean
    /** `MOBILE`, `FIXED_LINE`, `TOLL_FREE` … */
    getType(): string | undefined
  }
  export const parsePhoneNumberFromString: (text: string, defaultCountry?: string) => ParsedNumber | undefined
  /** ISO 3166. */
  export const isSupportedCountry: (country: string) => boolean
}
