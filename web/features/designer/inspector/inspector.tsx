export const Inspector = (_props: { readonly hidden: boolean }) => null
