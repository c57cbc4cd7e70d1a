/** XMLHttpRequest as a page of an origin has it, over fetch, as far as clients in tests use it. Test code only. */
export const fetchXhr = (origin: string) =>
  class FetchXhr {
    readyState = 0
    status = 0
    response: unknown = null
    responseText = ''
    responseType = ''
    timeout = 0
    withCredentials = false
    onreadystatechange: (() => void) | null = null
    onerror: (() => void) | null = null
    #method = 'GET'
    #url = ''
    readonly #headers = new Headers({ origin })

    open(method: string, url: string): void {
      this.#method = method
      this.#url = url
    }

    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }

    send(body?: BodyInit): void {
      this.#load(body).catch(() => this.onerror?.())
    }

    abort(): void {}

    async #load(body?: BodyInit): Promise<void> {
      const answer = await fetch(this.#url, { method: this.#method, headers: this.#headers, body: body ?? null })
      // A browser hides what another origin did not allow.
      const allowed = answer.headers.get('access-control-allow-origin')
      if (!this.#url.startsWith('data:') && allowed !== origin) throw new Error('not allowed by CORS')
      const content = await answer.arrayBuffer()
      this.responseText = new TextDecoder().decode(content)
      const isJson = this.responseType === 'json' && this.responseText !== ''
      this.response = this.responseType === 'arraybuffer' ? content : isJson ? JSON.parse(this.responseText) : null
      this.status = answer.status
      this.readyState = 4
      this.onreadystatechange?.()
    }
  }
