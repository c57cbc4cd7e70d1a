/** A name that people gave, safe in a header (RFC 6266). */
export const contentDisposition = (kind: 'attachment' | 'inline', name: string): string => {
  const plain = name.replace(/[^\w.-]+/g, '_')
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percent)}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
