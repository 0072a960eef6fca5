import type { Rolldown } from 'vite';

/**
 * Takes out of lit-html what the widget's templates never use; a bundler sees no way round it. What stays draws them
 * the same (test/scripts/smaller-packages.test.ts). Another version of Lit stops the build: then see what changed,
 * and cut again. Who takes the widget from npm has Lit as it is.
 */
export function smallerLit(): Rolldown.Plugin {
  return {
    name: 'smaller-lit',
    transform: {
      filter: { id: /\/lit-html\/lit-html\.js$/ },
      handler: (code) => ({ code: smallerLitCode(code), map: null }),
    },
  };
}

export function smallerLitCode(code: string): string {
  for (const [before, after] of Object.values(CUTS).flat()) {
    if (code.split(before).length !== 2)
      throw new Error(`lit-html is not the one these cuts were made for: ${before}`);
    // As a function: a replacement's dollar signs would mean something else.
    code = code.replace(before, () => after);
  }
  return code;
}

/** What goes and what comes in its place, by the reason why it can go. */
const CUTS: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  'templates are HTML; none is SVG or MathML': [
    [
      'x=t=>(i,...s)=>({_$litType$:t,strings:i,values:s}),b=x(1),w=x(2),T=x(3),E=Symbol.for("lit-noChange")',
      'b=(t,...i)=>({_$litType$:1,strings:t,values:i})',
    ],
    ['const N=(t,i)=>{', 'const N=t=>{'],
    ['let n,l=2===i?"<svg>":3===i?"<math>":"",c=v', 'let l="",c=v'],
    ['+(2===i?"</svg>":3===i?"</math>":""))', ')'],
    ['constructor({strings:t,_$litType$:i},e){', 'constructor({strings:t}){'],
    ['[f,v]=N(t,i)', '[f,v]=N(t)'],
    [
      'if(this.el=S.createElement(f,e),P.currentNode=this.el.content,2===i||3===i){const t=this.el.content.firstChild;t.replaceWith(...t.childNodes)}',
      'this.el=S.createElement(f),P.currentNode=this.el.content;',
    ],
  ],
  'no comment and no raw text has expressions; attributes stand in double quotes or in none': [
    [
      'v=/<(?:(!--|\\/[^a-zA-Z])|(\\/?[a-zA-Z][^>\\s]*)|(\\/?$))/g,_=/-->/g,m=/>/g',
      'v=/<\\/?[a-zA-Z][^>\\s]*/g',
    ],
    ['g=/\'/g,$=/"/g,y=/^(?:script|style|textarea|title)$/i,', '$=/"/g,'],
    [
      'c===v?"!--"===u[1]?c=_:void 0!==u[1]?c=m:void 0!==u[2]?(y.test(u[2])&&(n=RegExp("</"+u[2],"g")),c=p):void 0!==u[3]&&(c=p):c===p?">"===u[0]?(c=n??v,d=-1):',
      'c===v?c=p:c===p?">"===u[0]?(c=v,d=-1):',
    ],
    [
      "c=void 0===u[3]?p:'\"'===u[3]?$:g):c===$||c===g?c=p:c===_||c===m?c=v:(c=p,n=void 0)",
      'c=u[3]?$:p):c=p',
    ],
    ['const x=c===p&&t[i+1].startsWith("/>")?" ":"";', ''],
    ['+h+s.slice(d)+o+x):s+o+(-2===d?i:x)', '+h+s.slice(d)+o):s+o'],
    [
      'if(y.test(r.tagName)){const t=r.textContent.split(o),i=t.length-1;if(i>0){r.textContent=s?s.emptyScript:"";for(let s=0;s<i;s++)r.append(t[s],c()),P.nextNode(),d.push({type:2,index:++l});r.append(t[i],c())}}}else if(8===r.nodeType)if(r.data===n)d.push({type:2,index:l});else{let t=-1;for(;-1!==(t=r.data.indexOf(o,t+1));)d.push({type:7,index:l}),t+=o.length-1}l++',
      '}else r.data===n&&d.push({type:2,index:l});l++',
    ],
  ],
  'elements have no expressions of their own': [
    ['void 0===u[1]?d=-2:(', '('],
    ['else t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t));', ''],
    [
      '2===r.type?i=new k(h,h.nextSibling,this,t):1===r.type?i=new r.ctor(h,r.name,r.strings,this,t):6===r.type&&(i=new Z(h,this,t)),',
      'i=2===r.type?new k(h,h.nextSibling,t):new r.ctor(h,r.name,r.strings,t),',
    ],
    [
      'class Z{constructor(t,i,s){this.element=t,this.type=6,this._$AN=void 0,this._$AM=i,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}',
      '',
    ],
  ],
  'there are no directives': [
    [
      'function M(t,i,s=t,e){if(i===E)return i;let h=void 0!==e?s._$Co?.[e]:s._$Cl;const o=a(i)?void 0:i._$litDirective$;return h?.constructor!==o&&(h?._$AO?.(!1),void 0===o?h=void 0:(h=new o(t),h._$AT(t,s,e)),void 0!==e?(s._$Co??=[])[e]=h:s._$Cl=h),void 0!==h&&(i=M(t,h._$AS(t,i.values),h,e)),i}',
      '',
    ],
    ['_$AI(t,i=this){t=M(this,t,i),a(t)?', '_$AI(t){a(t)?'],
    ['t!==this._$AH&&t!==E&&this._(t)', 't!==this._$AH&&this._(t)'],
    ['_$AI(t,i=this,s,e){const h=this.strings;', '_$AI(t,s){const h=this.strings;'],
    ['t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E,', 'o=!a(t)||t!==this._$AH,'],
    ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n]),', 'r=e[s+n],'],
    ['o&&!e&&this.j(t)', 'o&&this.j(t)'],
    ['void 0!==s&&(void 0!==s.strings?(s._$AI(t,s,i),i', 'void 0!==s.strings?(s._$AI(t,i),i'],
    [':s._$AI(t[i])),i++', ':s._$AI(t[i]),i++'],
  ],
  'nobody asks a part for its place, its kind or whether it is connected': [
    [
      'constructor(t,i){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=i}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}',
      'constructor(t){this._$AV=[],this._$AD=t}',
    ],
    ['new R(e,this)', 'new R(e)'],
    [
      'get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,i,s,e){this.type=2,this._$AH=A,this._$AN=void 0,this._$AA=t,this._$AB=i,this._$AM=s,this.options=e,this._$Cv=e?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode;const i=this._$AM;return void 0!==i&&11===t?.nodeType&&(t=i.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}',
      'constructor(t,i,s){this._$AH=A,this._$AA=t,this._$AB=i,this.options=s}',
    ],
    ['new k(this.O(c()),this.O(c()),this,this.options)', 'new k(this.O(c()),this.O(c()),this.options)'],
    ['_$AR(t=this._$AA.nextSibling,s){for(this._$AP?.(!1,!0,s);', '_$AR(t=this._$AA.nextSibling){for(;'],
    ['_$AR(s&&s._$AB.nextSibling,e)', '_$AR(s&&s._$AB.nextSibling)'],
    ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}', ''],
    [
      'class H{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,i,s,e,h){this.type=1,this._$AH=A,this._$AN=void 0,this.element=t,this.name=i,this._$AM=e,this.options=h,',
      'class H{constructor(t,i,s,h){this.element=t,this.name=i,this.options=h,',
    ],
    ['constructor(){super(...arguments),this.type=3}', ''],
    ['constructor(){super(...arguments),this.type=4}', ''],
  ],
  'children are text, templates and lists of them': [
    ['d=t=>u(t)||"function"==typeof t?.[Symbol.iterator],', ''],
    [':void 0!==t.nodeType?this.T(t):d(t)?this.k(t):this._(t)', ':this.k(t)'],
    [
      'const{values:i,_$litType$:s}=t,e="number"==typeof s?this._$AC(t):(void 0===s.el&&(s.el=S.createElement(V(s.h,s.h[0]),this.options)),s);',
      'const{values:i}=t,e=this._$AC(t);',
    ],
  ],
  'listeners are functions without options, or nothing': [
    [
      'constructor(t,i,s,e,h){super(t,i,s,e,h),this.type=5}_$AI(t,i=this){if((t=M(this,t,i,0)??A)===E)return;const s=this._$AH,e=t===A&&s!==A||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive,h=t!==A&&(s===A||e);e&&this.element.removeEventListener(this.name,this,s),h&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){"function"==typeof this._$AH?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}',
      '_$AI(t){this.element.addEventListener(this.name,this),this._$AH=t}handleEvent(t){this._$AH!==A&&this._$AH.call(this.options.host,t)}',
    ],
  ],
  'the whole of one shadow root is drawn, in browsers that need no help': [
    ['i=t=>t,s=', 's='],
    ['const s=i(t).nextSibling;i(t).remove(),t=s', 'const s=t.nextSibling;t.remove(),t=s'],
    ['(t?.creationScope??l).importNode', 'l.importNode'],
    [
      'const j={M:h,P:o,A:n,C:1,L:N,R,D:d,V:M,I:k,H,N:L,U:z,B:I,F:Z},B=t.litHtmlPolyfillSupport;B?.(S,k),(t.litHtmlVersions??=[]).push("3.3.3");',
      '',
    ],
    [
      'const e=s?.renderBefore??i;let h=e._$litPart$;if(void 0===h){const t=s?.renderBefore??null;e._$litPart$=h=new k(i.insertBefore(c(),t),t,void 0,s??{})}return h._$AI(t),h',
      'const e=i._$litPart$??=new k(i.appendChild(c()),null,s);e._$AI(t)',
    ],
    [
      'export{j as _$LH,b as html,T as mathml,E as noChange,A as nothing,D as render,w as svg}',
      'export{b as html,A as nothing,D as render}',
    ],
  ],
};
