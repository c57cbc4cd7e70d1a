/** Formats an amount in its currency; keeps text that is not a number. */
export const money = (written: string, currency: string, language: string): string => {
  if (!/^-?\d+(?:\.\d+)?$/.test(written)) return written
  try {
    const style = currency === '' ? {} : ({ style: 'currency', currency } as const)
    return new Intl.NumberFormat(language === 'pt' ? 'pt-BR' : language, { minimumFractionDigits: 2, ...style }).format(
      Number(written),
    )
  } catch {
    return written
  }
}
